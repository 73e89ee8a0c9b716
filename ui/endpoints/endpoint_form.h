// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"
#include "ui/endpoints/endpoint_editor.h"
#include "ui/theme/theme.h"

#include <QScrollArea>

class QLabel;
class QVBoxLayout;

namespace sg::ui {

class ConnectionSection;
class ConnectionTests;
class FormSection;
class NetworkSection;

/// Everything of the endpoint in front, in sections that scroll.
class EndpointForm : public QWidget
{
    Q_OBJECT
public:
    EndpointForm(ThemeContext& context, EndpointEditor& editor, ConnectionTests& tests, QWidget* parent = nullptr);

    void refresh();
    void setLive(const observe::Snapshot& snapshot);
    void focusName();
    void focusFirst(); ///< the first field, when one comes from the table
    NetworkSection* network() const { return network_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void add(FormSection* section);
    QString headWords(const workspace::Endpoint& endpoint) const;

    ThemeContext& context_;
    EndpointEditor& editor_;
    QScrollArea* scroll_;
    QWidget* body_;
    QVBoxLayout* column_;
    std::vector<FormSection*> sections_;
    ConnectionSection* connection_ = nullptr;
    NetworkSection* network_ = nullptr;
    std::optional<policy::BreakerState> state_;
    std::string shown_;
    QString head_;
};

} // namespace sg::ui
