# SPDX-License-Identifier: GPL-3.0-or-later
# One static library a room. A room names the rooms it uses; only rooms declared before it exist as targets,
# so the order of core/CMakeLists.txt is the wall: a room cannot reach one that comes later.
add_library(switchgear_core_base STATIC ${PROJECT_SOURCE_DIR}/cmake/empty.cpp)
target_link_libraries(switchgear_core_base PUBLIC sg::standards Qt6::Core Qt6::Network Qt6::Sql Threads::Threads)
target_precompile_headers(switchgear_core_base PRIVATE ${PROJECT_SOURCE_DIR}/cmake/core_pch.h)

function(sg_room name)
    cmake_parse_arguments(ROOM "" "" "USES;LINKS" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.h)
    foreach(used ${ROOM_USES})
        if(NOT TARGET sg_${used})
            message(FATAL_ERROR "room '${name}' uses '${used}', which comes after it or does not exist")
        endif()
    endforeach()
    list(TRANSFORM ROOM_USES PREPEND sg_)
    add_library(sg_${name} STATIC ${sources} ${PROJECT_SOURCE_DIR}/cmake/empty.cpp)
    target_link_libraries(sg_${name} PUBLIC switchgear_core_base ${ROOM_USES} PRIVATE ${ROOM_LINKS})
    target_precompile_headers(sg_${name} REUSE_FROM switchgear_core_base)
    # Without it a header that joins the room later is not seen by moc until something else changes (CMake 3.25).
    set_property(TARGET sg_${name} PROPERTY AUTOGEN_TARGET_DEPENDS ${sources})
endfunction()
